"""The human evaluation: sheets, answers, figures."""
