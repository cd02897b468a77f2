"""The URL of the stylesheet that all pages share."""

from django import template

from research.web.site.page_stylesheet import address

register = template.Library()
register.simple_tag(address, name="styles_address")
