import type { Schemas } from '../../data/api';

export type Issue = Schemas['IssueDetail'];
