run true || true
