import type { Schemas } from '../../data/api';

type Config = Record<string, unknown>;

interface Hire {
  name: string;
  role: string;
  title: string | null;
  capabilities: string | null;
  reportsTo: string | null;
  /** Null where none is settled or proposed. */
  adapterType: string | null;
  adapterConfig: Config;
  budgetMonthlyCents: number;
  wakeOnAssignment: boolean;
}

type Draft = Pick<Schemas['AgentDetail'], keyof Hire>;

/**
 * What approving a hire makes: the request and, while it can still be decided, the draft as the board has changed it. The
 * adapter is the draft's if the board has settled one, else the proposed one.
 */
export function hireOf(
  { payload, status }: Pick<Schemas['Approval'], 'payload' | 'status'>,
  draft: Draft | undefined,
): Hire {
  const asked = payload as Partial<Draft> & {
    proposedAdapter?: Pick<Draft, 'adapterType' | 'adapterConfig'>;
  };
  const isOpen = status === 'pending' || status === 'revision_requested';
  const known: Partial<Draft> = (isOpen && draft) || asked;
  const proposed = asked.proposedAdapter;
  const own = known.adapterConfig ?? {};
  const isSettled = (known.adapterType ?? UNSETTLED) !== UNSETTLED || Object.keys(own).length > 0;
  const adapter = isSettled || !proposed ? known : proposed;
  return {
    name: known.name ?? '',
    role: known.role ?? '',
    title: known.title ?? null,
    capabilities: known.capabilities ?? null,
    reportsTo: known.reportsTo ?? null,
    adapterType: (isSettled || proposed ? adapter.adapterType : undefined) ?? null,
    adapterConfig: adapter.adapterConfig ?? {},
    budgetMonthlyCents: known.budgetMonthlyCents ?? 0,
    wakeOnAssignment: known.wakeOnAssignment ?? true,
  };
}

/** The adapter of a draft that names none. */
const UNSETTLED = 'process';

/** Program and arguments as a shell would take them; empty where there is no program. */
export function commandLine({ command, args }: Config): string {
  const words = [command, ...(Array.isArray(args) ? args : [])].filter(
    (word) => typeof word === 'string',
  );
  return words.map(quoted).join(' ');
}

const quoted = (word: string) =>
  /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
