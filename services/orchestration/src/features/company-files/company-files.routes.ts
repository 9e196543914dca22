import {
  companyFile,
  exportCompanyQuery,
  importCompanyBody,
  importReport,
} from '@switchyard/types';
import { route } from '../../route';
import { exportCompany } from './export-company';
import { importCompany } from './import-company';

export const companyFileRoutes = [
  route({
    method: 'GET',
    path: '/api/companies/:companyId/export',
    operation: 'exportCompany',
    summary: 'Export a company as Markdown files, one line of JSON per file',
    access: 'board',
    streams: 'application/x-ndjson',
    query: exportCompanyQuery,
    event: companyFile,
    handle: (call) => exportCompany(call, call.query),
  }),
  route({
    method: 'POST',
    path: '/api/companies/:companyId/import',
    operation: 'importCompany',
    summary: 'Create and change what the files of an export describe',
    errors: ['semantic_error'],
    access: 'owner',
    status: 200,
    idempotent: false,
    bodyLimit: 16 * 1024 * 1024,
    body: importCompanyBody,
    response: importReport,
    handle: (call) => importCompany(call, call.body),
  }),
];
