import type { LinkProps } from '@tanstack/react-router';
import {
  Bot,
  CalendarClock,
  CircleDollarSign,
  CircleDot,
  FolderKanban,
  Gauge,
  Goal,
  History,
  Inbox,
  KeyRound,
  type LucideIcon,
  Network,
  Play,
  Settings,
  Stamp,
  Users,
} from 'lucide-react';
import type { Key } from '../i18n';

export interface Place {
  to: NonNullable<LinkProps['to']>;
  label: Key;
  icon: LucideIcon;
  letter?: string;
}

export const PLACES: { heading?: Key; places: Place[] }[] = [
  {
    places: [
      { to: '/$company', label: 'nav.needsYou', icon: Inbox, letter: 'n' },
      { to: '/$company/overview', label: 'nav.overview', icon: Gauge, letter: 'o' },
    ],
  },
  {
    heading: 'nav.work',
    places: [
      { to: '/$company/issues', label: 'nav.issues', icon: CircleDot, letter: 'i' },
      { to: '/$company/projects', label: 'nav.projects', icon: FolderKanban, letter: 'p' },
      { to: '/$company/goals', label: 'nav.goals', icon: Goal, letter: 'g' },
      { to: '/$company/approvals', label: 'nav.approvals', icon: Stamp, letter: 'v' },
    ],
  },
  {
    heading: 'nav.staff',
    places: [
      { to: '/$company/agents', label: 'nav.agents', icon: Bot, letter: 'a' },
      { to: '/$company/org', label: 'nav.org', icon: Network },
      { to: '/$company/runs', label: 'nav.runs', icon: Play, letter: 'r' },
      { to: '/$company/routines', label: 'nav.routines', icon: CalendarClock, letter: 't' },
    ],
  },
  {
    heading: 'nav.company',
    places: [
      { to: '/$company/costs', label: 'nav.costs', icon: CircleDollarSign, letter: 'c' },
      { to: '/$company/secrets', label: 'nav.secrets', icon: KeyRound },
      { to: '/$company/people', label: 'nav.people', icon: Users },
      { to: '/$company/activity', label: 'nav.activity', icon: History, letter: 'h' },
      { to: '/$company/settings', label: 'nav.settings', icon: Settings, letter: 's' },
    ],
  },
];
