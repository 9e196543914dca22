import type { Schemas } from '../../data/api';

type Config = Record<string, unknown>;

interface Hire {
  name: string;
  role: string;
  title: string | null;
  capabilities: string | null;
  reportsTo: string | null;
  adapterType: string | null;
  adapterConfig: Config;
  budgetMonthlyCents: number;
  wakeOnAssignment: boolean;
}

type Draft = Pick<Schemas['AgentDetail'], keyof Hire>;

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

const UNSETTLED = 'process';

export function commandLine({ command, args }: Config): string {
  const words = [command, ...(Array.isArray(args) ? args : [])].filter(
    (word) => typeof word === 'string',
  );
  return words.map(quoted).join(' ');
}

const quoted = (word: string) =>
  /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;

const entriesOf = (env: unknown) => Object.entries((env ?? {}) as Config);

export const secretsOf = (env: unknown): string[] =>
  entriesOf(env).flatMap(([, value]) => (value as { secretId?: string } | null)?.secretId ?? []);

export const literalsOf = (env: unknown): Record<string, string> =>
  Object.fromEntries(
    entriesOf(env).filter((entry): entry is [string, string] => typeof entry[1] === 'string'),
  );
