"""The content store: loads editions from the content folder and replaces them after edits."""
