"""The search of the blog: finds posts by the words of their titles and excerpts.

    engine = BlogEngine(Vocabulary(word_lists))
    folder = IndexFolder(Path("var/index/posts"), engine)
    base = folder.open(posts) or folder.make(posts)      # in a background thread
    index = BlogIndex(base, vocabulary).updated(posts)   # after each edit
    best = next(index.closest(locale, query))

`posts` (`Posts`) has the version of each post, and its texts on demand. All these types are
immutable; searches may run in any number of threads.
"""
