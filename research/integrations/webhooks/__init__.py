"""Signed messages from other services and to them (Standard Webhooks), and the secrets that both need."""
