"""The command line of the export: what is asked for, what is drawn, what is written."""
