import type { Schemas } from '../../data/api';

export type InboxItem = Schemas['InboxItem'];
export type InboxAction = Schemas['InboxAction'];
