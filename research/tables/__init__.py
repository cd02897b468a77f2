"""What pages and commands do with tables: starting one, changing one, reading its rows. All in a `tenant_context`."""
