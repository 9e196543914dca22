import { readTextFile } from '@switchyard/server';
import { z } from 'zod';
import {
  type ExchangeConfig,
  exchangeEnvironment,
  readExchangeConfig,
  type UnusableExchangeConfig,
  unusable,
} from './exchange/config';
import { marketEnvironment } from './market-settings';

export interface AccountConfig {
  name: string;
  exchange: ExchangeConfig | UnusableExchangeConfig;
  problem: string | null;
  symbols: string[];
  perpetuals: string[];
}

const NAME = /^[a-z0-9][a-z0-9_-]{0,31}$/;

const account = z.strictObject({
  name: z.string().regex(NAME, 'must have 1 to 32 characters: lower-case letters, digits, _ and -'),
  exchange: z.string(),
  api_key_file: z.string().optional(),
  api_secret_file: z.string().optional(),
  api_password_file: z.string().optional(),
  testnet: z.boolean().default(false),
  base_url: z.string().optional(),
  symbols: z.array(z.string()).optional(),
});

const file = z.strictObject({ accounts: z.array(account).min(1).max(20) });

type Listed = z.output<typeof account>;

const environment = z.object(exchangeEnvironment);
const markets = z.object(marketEnvironment).pick({ METRICS_SYMBOLS: true });

/**
 * Reads METRICS_ACCOUNTS. An error in one account is stored in that account's `problem`, so that
 * the others are still collected.
 * @throws Error for an invalid file
 */
export function readAccounts(path: string): AccountConfig[] {
  const { accounts } = read(path);
  const names = accounts.map(({ name }) => name);
  const twice = names.find((name, index) => names.indexOf(name) !== index);
  if (twice !== undefined) throw new Error(`METRICS_ACCOUNTS contains the name ${twice} twice`);
  if (accounts.filter(isSimulated).length > 1) {
    throw new Error('METRICS_ACCOUNTS may contain at most one simulated account');
  }
  return accounts.map(accountOf);
}

function read(path: string): z.output<typeof file> {
  let content: unknown;
  try {
    content = JSON.parse(readTextFile(path));
  } catch {
    throw new Error('METRICS_ACCOUNTS must be the path of a readable JSON file');
  }
  const parsed = file.safeParse(content);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  throw new Error(`METRICS_ACCOUNTS: ${issue?.path.join('.')}: ${issue?.message}`);
}

function accountOf(listed: Listed): AccountConfig {
  const { name } = listed;
  try {
    const read = markets.parse({ METRICS_SYMBOLS: listed.symbols?.join(',') });
    const { exchange, problem } = readExchangeConfig(environmentOf(listed));
    return {
      name,
      exchange,
      problem: problem && `${name}: ${problem}`,
      ...read.METRICS_SYMBOLS,
    };
  } catch (error) {
    const reason = error instanceof z.ZodError ? firstOf(error) : (error as Error).message;
    const exchange = isSimulated(listed) ? SIMULATED : unusable(listed.exchange);
    return { name, exchange, problem: `${name}: ${reason}`, symbols: [], perpetuals: [] };
  }
}

const FIELD_OF: Record<string, keyof Listed> = {
  METRICS_SYMBOLS: 'symbols',
  EXCHANGE_ID: 'exchange',
  EXCHANGE_API_KEY: 'api_key_file',
  EXCHANGE_API_SECRET: 'api_secret_file',
  EXCHANGE_API_PASSWORD: 'api_password_file',
  EXCHANGE_BASE_URL: 'base_url',
};

function firstOf({ issues: [issue] }: z.ZodError): string {
  const field = FIELD_OF[String(issue?.path[0])];
  return `${field ? `${field}: ` : ''}${issue?.message}`;
}

const SIMULATED = { mode: 'simulated' } as const;

const isSimulated = ({ exchange }: Listed) => exchange === 'simulated';

function environmentOf(listed: Listed): z.output<typeof environment> {
  const real = listed.testnet ? 'testnet' : 'live';
  const variables = {
    EXCHANGE_MODE: isSimulated(listed) ? 'simulated' : real,
    ...(!isSimulated(listed) && { EXCHANGE_ID: listed.exchange }),
    EXCHANGE_API_KEY: secretIn(listed.api_key_file),
    EXCHANGE_API_SECRET: secretIn(listed.api_secret_file),
    EXCHANGE_API_PASSWORD: secretIn(listed.api_password_file),
    EXCHANGE_BASE_URL: listed.base_url,
  };
  return environment.parse(variables);
}

function secretIn(path: string | undefined): string | undefined {
  if (path === undefined) return undefined;
  try {
    return readTextFile(path).trim();
  } catch {
    throw new Error(`${path} cannot be read`);
  }
}
