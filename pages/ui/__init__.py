"""Widgets that pages share. The only room, with the page scripts, that imports streamlit."""
