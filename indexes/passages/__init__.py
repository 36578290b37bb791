"""The passage search: finds the passages of public pages that answer a question.

    analyzer = Analyzer(Vocabulary(word_lists))
    folder = PassageFolder(Path("var/index"), analyzer)
    index = folder.open(pages) or folder.make(pages)     # in a background thread
    index = index.updated(pages)                         # after each edit
    if not index.is_settled:
        index = folder.make(pages)                       # in a background thread
    result = index.find(shortened(query), SearchScope("sa/ar", now), limit=8)

`pages` (`Pages`) has the version of each page, and cuts a page into `SearchPassage` on demand. All
these types are immutable; `find` may run in any number of threads.
"""
