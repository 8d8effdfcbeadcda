/** The screens of the navigation, in the order of worth, with the key that follows `g`. */
import type { IconName } from '../kit/icons.tsx';

export interface Screen { to: string; title: string; icon: IconName; key: string }

const below = '/w/$workspace_id';

export const SCREENS: readonly Screen[] = [
  { to: `${below}/overview`, title: 'Overview', icon: 'overview', key: 'o' },
  { to: `${below}/runs`, title: 'Runs', icon: 'runs', key: 'r' },
  { to: `${below}/sessions`, title: 'Sessions', icon: 'sessions', key: 's' },
  { to: `${below}/approvals`, title: 'Approvals', icon: 'approvals', key: 'a' },
  { to: `${below}/integrations`, title: 'Integrations', icon: 'integrations', key: 'i' },
  { to: `${below}/grants`, title: 'Grants', icon: 'grants', key: 'p' },
  { to: `${below}/keys`, title: 'API keys', icon: 'keys', key: 'k' },
  { to: `${below}/audit`, title: 'Audit log', icon: 'audit', key: 'l' },
  { to: `${below}/workspaces`, title: 'Workspaces', icon: 'workspaces', key: 'w' },
];
