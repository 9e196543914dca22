/** The screens of a company, below its prefix: `/ACM`, `/ACM/issues/ACM-12`. */
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
  'projects',
  'projects/:id',
  'costs',
  'secrets',
  'people',
  'activity',
  'search',
  'settings',
];

/** Those that belong to no company. */
const OUTSIDE = ['/', '/start', '/account'];

/** As `issuePrefix` makes them: capitals, and a number where the capitals were taken. */
const PREFIX = '/[A-Z]{1,3}[0-9]{0,6}';

const below = SCREENS.map((screen) => screen.replace(':id', '[^/]+')).join('|');
const ADDRESS = new RegExp(`^(?:${OUTSIDE.join('|')}|${PREFIX}(?:/(?:${below}))?)/?$`);

/** Whether the console has a screen at this path. */
export const isPageAddress = (path: string) => ADDRESS.test(path);
