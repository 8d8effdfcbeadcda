-- Who may use an approval: the key that asked for it, or every key of the workspace.
alter table grants
  add column approval_scope text not null default 'api_key'
    check (approval_scope in ('api_key', 'workspace')),
  add constraint grants_approval_scope check (
    approval_scope = 'api_key' or decision = 'require_approval');
alter table approvals
  add column scope text not null default 'api_key' check (scope in ('api_key', 'workspace'));
