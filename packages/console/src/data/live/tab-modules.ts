export { noteCompaniesRead } from './positions';
export { followCompany } from './stream';
