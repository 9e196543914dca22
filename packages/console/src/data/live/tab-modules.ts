/** Modules of which each browser tab has its own instance. `stream.test.ts` loads them once per tab. */
export { noteCompaniesRead } from './positions';
export { followCompany } from './stream';
