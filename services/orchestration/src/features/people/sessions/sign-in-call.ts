import type { Request } from 'express';
import type { Call } from '../../../kernel/call';

export type SignInCall = Call<string | null> & { request: Request };
