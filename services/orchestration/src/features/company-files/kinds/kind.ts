import type { Database } from '@switchyard/db';
import type { z } from 'zod';
import type { Actor } from '../../../kernel/actor';
import type { Tx } from '../../../kernel/call';

export type Named = 'agents' | 'goals' | 'projects' | 'issues';

export interface Reference {
  to: Named;
  as: string;
  isList?: true;
}

export type Row = Record<string, unknown> & { id: string };

export interface Source {
  db: Database;
  companyId: string;
  actor: Actor;
  secrets: ReadonlyMap<string, string>;
  issueId?: string;
  numbers?: number[];
}

export interface Page {
  take: number;
  cursor?: { id: string };
  skip?: 1;
}

export interface Place {
  slug: string;
  activates: boolean;
  idOf(to: Named, slug: string): string;
  secretId(name: unknown, path: (string | number)[]): string;
}

export interface Kind {
  folder: string;
  slug: RegExp;
  named?: 'name' | 'title';
  fields: Readonly<Record<string, Reference | null>>;
  text: string | null;
  needsText?: true;
  creates: z.ZodType | null;
  updates: z.ZodType | null;
  read(source: Source, page: Page): Promise<Row[]>;
  create(tx: Tx, body: unknown, place: Place): Promise<string>;
  update(tx: Tx, id: string, body: unknown, place: Place): Promise<unknown>;
}

interface Declared<Create, Update> extends Omit<Kind, 'creates' | 'updates' | 'create' | 'update'> {
  creates: z.ZodType<Create> | null;
  updates: z.ZodType<Update> | null;
  create?(tx: Tx, body: Create, place: Place): Promise<string>;
  update?(tx: Tx, id: string, body: Update, place: Place): Promise<unknown>;
}

export const defineKind = <Create, Update>(kind: Declared<Create, Update>): Kind =>
  ({ create: unused, update: unused, ...kind }) as Kind;

function unused(): never {
  throw new Error('this kind of file cannot be written');
}

export const OLDEST_FIRST = [{ createdAt: 'asc' }, { id: 'asc' }] as const;
