"""Discovery documents for agents and crawlers, such as llms.txt, robots.txt and the manual."""
