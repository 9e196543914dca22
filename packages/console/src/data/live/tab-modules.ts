/** Modules with an instance per browser tab. `stream.test.ts` loads them once per tab. */
export { noteCompaniesRead } from './positions';
export { followCompany } from './stream';
