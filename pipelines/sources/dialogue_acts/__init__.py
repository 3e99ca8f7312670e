"""Dialogue acts of RNNLG."""
