import {
  createRootRoute,
  createRoute,
  createRouter,
  lazyRouteComponent,
  redirect,
} from '@tanstack/react-router';
import { Broken } from './frame/broken';
import { CompanyFrame } from './frame/company-frame';
import { NotFound } from './frame/not-found';
import { onceThere } from './frame/once-there';
import { Root } from './frame/root';
import { Start } from './frame/start';
import { type Catalogues, loadTexts } from './i18n';
import { NeedsYouScreen } from './screens/needs-you/needs-you-screen';

type Search = Record<string, string | undefined>;

function readSearch(search: Record<string, unknown>): Search {
  const texts = Object.entries(search).filter(([, value]) => value !== undefined && value !== '');
  return Object.fromEntries(texts.map(([name, value]) => [name, String(value)]));
}

const root = createRootRoute({ component: Root, notFoundComponent: NotFound });

const start = createRoute({ getParentRoute: () => root, path: '/', component: Start });

const startOver = createRoute({
  getParentRoute: () => root,
  path: 'start',
  component: lazyRouteComponent(() => import('./screens/first-run/first-run'), 'FirstRun'),
});

const account = createRoute({
  getParentRoute: () => root,
  path: 'account',
  component: lazyRouteComponent(() => import('./screens/account/account-screen'), 'AccountScreen'),
});

const company = createRoute({
  getParentRoute: () => root,
  path: '$company',
  component: CompanyFrame,
  validateSearch: readSearch,
  beforeLoad: ({ params, location: { pathname, search, hash } }) => {
    const upper = params.company.toUpperCase();
    if (upper === params.company) return;
    const to = pathname.replace(/^\/[^/]+/, `/${upper}`) as '/$company';
    throw redirect({ to, params: { company: upper }, search, hash, replace: true });
  },
});

const needsYou = createRoute({
  getParentRoute: () => company,
  path: '/',
  component: NeedsYouScreen,
});

const screen = <Path extends string, Name extends string>(
  path: Path,
  load: () => Promise<Record<Name, () => React.ReactNode>>,
  name: Name,
  texts?: Catalogues,
) => {
  const loadAll = async () => {
    const [module] = await Promise.all([load(), texts && loadTexts(texts)]);
    return module;
  };
  return createRoute({
    getParentRoute: () => company,
    path,
    component: lazyRouteComponent(() => onceThere(loadAll), name),
  });
};

const SETTINGS_TEXTS: Catalogues = {
  en: () => import('./screens/settings/texts/en.json'),
  de: () => import('./screens/settings/texts/de.json'),
};
const ROUTINE_TEXTS: Catalogues = {
  en: () => import('./screens/routines/texts/en.json'),
  de: () => import('./screens/routines/texts/de.json'),
};

const screens = [
  screen('overview', () => import('./screens/overview/overview-screen'), 'OverviewScreen'),
  screen('issues', () => import('./screens/issues/issues-screen'), 'IssuesScreen'),
  screen('issues/$issue', () => import('./screens/issue/issue-screen'), 'IssueScreen'),
  screen('runs', () => import('./screens/runs/runs-screen'), 'RunsScreen'),
  screen('runs/$run', () => import('./screens/run/run-screen'), 'RunScreen'),
  screen('agents', () => import('./screens/agents/agents-screen'), 'AgentsScreen'),
  screen('agents/$agent', () => import('./screens/agent/agent-screen'), 'AgentScreen'),
  screen('org', () => import('./screens/org/org-screen'), 'OrgScreen'),
  screen(
    'routines',
    () => import('./screens/routines/routines-screen'),
    'RoutinesScreen',
    ROUTINE_TEXTS,
  ),
  screen(
    'routines/$routine',
    () => import('./screens/routine/routine-screen'),
    'RoutineScreen',
    ROUTINE_TEXTS,
  ),
  screen('approvals', () => import('./screens/approvals/approvals-screen'), 'ApprovalsScreen'),
  screen(
    'approvals/$approval',
    () => import('./screens/approval/approval-screen'),
    'ApprovalScreen',
  ),
  screen('goals', () => import('./screens/goals/goals-screen'), 'GoalsScreen'),
  screen('goals/$goal', () => import('./screens/goals/goal-screen'), 'GoalScreen'),
  screen('projects', () => import('./screens/projects/projects-screen'), 'ProjectsScreen'),
  screen('projects/$project', () => import('./screens/project/project-screen'), 'ProjectScreen'),
  screen('costs', () => import('./screens/costs/costs-screen'), 'CostsScreen'),
  screen('secrets', () => import('./screens/secrets/secrets-screen'), 'SecretsScreen'),
  screen('people', () => import('./screens/people/people-screen'), 'PeopleScreen'),
  screen('activity', () => import('./screens/activity/activity-screen'), 'ActivityScreen', {
    en: () => import('./screens/activity/texts/en.json'),
    de: () => import('./screens/activity/texts/de.json'),
  }),
  screen('search', () => import('./screens/search/search-screen'), 'SearchScreen'),
  screen(
    'settings',
    () => import('./screens/settings/settings-screen'),
    'SettingsScreen',
    SETTINGS_TEXTS,
  ),
  screen(
    'settings/danger',
    () => import('./screens/settings/danger-screen'),
    'DangerScreen',
    SETTINGS_TEXTS,
  ),
  screen('settings/runners', () => import('./screens/runners/runners-screen'), 'RunnersScreen', {
    en: () => import('./screens/runners/texts/en.json'),
    de: () => import('./screens/runners/texts/de.json'),
  }),
  screen(
    'settings/webhooks',
    () => import('./screens/webhooks/webhooks-screen'),
    'WebhooksScreen',
    {
      en: () => import('./screens/webhooks/texts/en.json'),
      de: () => import('./screens/webhooks/texts/de.json'),
    },
  ),
] as const;

export const router = createRouter({
  routeTree: root.addChildren([
    start,
    startOver,
    account,
    company.addChildren([needsYou, ...screens]),
  ]),
  parseSearch: (text) => Object.fromEntries(new URLSearchParams(text)),
  stringifySearch: (search) => {
    const texts = Object.entries(readSearch(search)) as [string, string][];
    return texts.length === 0 ? '' : `?${new URLSearchParams(texts)}`;
  },
  scrollRestoration: true,
  defaultPreload: 'intent',
  defaultErrorComponent: Broken,
});

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router;
  }
}
