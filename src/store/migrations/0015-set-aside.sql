-- What has changed about an action and waits for an operator. Until then a tool goes on by the
-- definition that was accepted, and an operation by the document that was.
alter table integration_actions
  add column proposed json;          -- the tool as its server describes it now; null: as accepted
alter table integrations
  add column accepted_document text; -- null: `document` is accepted
