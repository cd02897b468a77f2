"""The order of requests to a web site across processes."""
