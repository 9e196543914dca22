const SCREENS = [
  'overview',
  'issues',
  'issues/:id',
  'runs',
  'runs/:id',
  'agents',
  'agents/:id',
  'org',
  'routines',
  'routines/:id',
  'approvals',
  'approvals/:id',
  'goals',
  'goals/:id',
  'projects',
  'projects/:id',
  'costs',
  'secrets',
  'people',
  'activity',
  'search',
  'settings',
  'settings/danger',
  'settings/runners',
  'settings/webhooks',
];

const OUTSIDE = ['/', '/start', '/account'];

const PREFIX = '/[A-Z]{1,3}[0-9]{0,6}';

const below = SCREENS.map((screen) => screen.replace(':id', '[^/]+')).join('|');
const ADDRESS = new RegExp(`^(?:${OUTSIDE.join('|')}|${PREFIX}(?:/(?:${below}))?)/?$`);

export const isPageAddress = (path: string) => ADDRESS.test(path);
