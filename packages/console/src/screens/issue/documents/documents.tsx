import { Link } from '@tanstack/react-router';
import { FileText, Plus } from 'lucide-react';
import { useMayWrite } from '../../../data/rights';
import { t } from '../../../i18n';
import { Ago } from '../../../ui/time';
import type { Issue } from '../issue';
import { Part } from '../properties/relations';
import { NEW_DOCUMENT } from './document-address';

export function Documents({ issue }: { issue: Issue }) {
  const mayWrite = useMayWrite();
  const documents = issue.documentSummaries.toSorted((one, other) =>
    other.updatedAt.localeCompare(one.updatedAt),
  );
  if (documents.length === 0 && !mayWrite) return null;
  return (
    <Part
      title={t('issue.documents')}
      action={
        mayWrite && (
          <Link
            from="/$company/issues/$issue"
            search={(search) => ({ ...search, document: NEW_DOCUMENT })}
            aria-label={t('issue.newDocument')}
            title={t('issue.newDocument')}
            className="inline-flex size-7 items-center justify-center rounded-md text-muted hover:bg-hover hover:text-text"
          >
            <Plus size={15} aria-hidden />
          </Link>
        )
      }
    >
      {documents.length === 0 ? (
        <p className="text-sm text-faint">{t('issue.noDocuments')}</p>
      ) : (
        <ul>
          {documents.map(({ id, key, title, latestRevisionNumber, updatedAt }) => (
            <li key={id}>
              <Link
                from="/$company/issues/$issue"
                search={(search) => ({ ...search, document: key })}
                className="flex min-h-8 items-center gap-2 rounded-md px-2 text-sm hover:bg-hover"
              >
                <FileText size={14} aria-hidden className="shrink-0 text-muted" />
                <span className="min-w-0 flex-1 truncate">{title || key}</span>
                <span className="text-xs text-faint">
                  {t('issue.revision', { number: latestRevisionNumber })} · <Ago at={updatedAt} />
                </span>
              </Link>
            </li>
          ))}
        </ul>
      )}
    </Part>
  );
}
