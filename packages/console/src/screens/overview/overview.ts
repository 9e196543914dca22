import type { Answer } from '../../data/read';

export type Overview = Answer<'/api/companies/{companyId}/overview'>;
