"""The application: everything that the commands do, in a browser, for people who do not program.

Everything on the screen is a policy: a click edits one ``policy.toml`` in a project folder, and the
page *Script* shows the commands that make the same release of it.
"""
