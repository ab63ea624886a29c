"""The rules broken by bytes written wrong, or by values read wrong."""
