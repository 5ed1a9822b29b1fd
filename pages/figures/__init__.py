"""Results become figures here: pure functions, headless, never importing streamlit."""
