"""Alembic runs this: the steps that are missing, in the transaction of whoever asked for them."""

from alembic import context

from kibitz.server.db.schema import METADATA

context.configure(
    connection=context.config.attributes["connection"],
    target_metadata=METADATA,
    render_as_batch=True,
)
with context.begin_transaction():
    context.run_migrations()
