"""Human evaluation: sheets for raters, their answers, and the figures."""
