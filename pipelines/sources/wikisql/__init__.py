"""Questions of WikiSQL with their logical forms, as text2sql-data has them."""
