"""Questions of WebQSP with their chains of relations."""
