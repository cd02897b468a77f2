"""What the templates of files need beyond those of pages."""

from django import template

from exports.charts import chart_of
from exports.paper.citing import named_of

register = template.Library()
register.filter("as_drawn", chart_of)
register.filter("named", named_of)
