import { Link } from '@tanstack/react-router';
import { useCompany } from '../../data/company';
import type { Found } from '../../data/find';
import { word } from '../../i18n';
import { MarkedText } from '../../ui/markdown/marked-text';
import { Ago } from '../../ui/time';
import { linkTo } from './found-link';
import { FoundMark } from './found-mark';

export function FoundRow({ found }: { found: Found }) {
  const { issuePrefix } = useCompany();
  return (
    <Link
      {...linkTo(found, issuePrefix)}
      className="flex gap-3 rounded-md px-2 py-2 hover:bg-hover"
    >
      <span className="flex h-5 w-4 shrink-0 items-center justify-center text-muted">
        <FoundMark found={found} />
      </span>
      <span className="min-w-0 flex-1">
        <span className="flex items-baseline gap-2">
          {found.identifier && (
            <span className="shrink-0 text-sm text-muted">{found.identifier}</span>
          )}
          <span className="truncate font-medium">
            <MarkedText text={found.title} hits={found.titleHits} />
          </span>
          <span className="flex-1" />
          <span className="shrink-0 text-xs text-faint">
            {word('foundType', found.type)} · <Ago at={found.at} />
          </span>
        </span>
        {found.snippet && (
          <span className="line-clamp-2 text-sm text-muted">
            <MarkedText text={found.snippet} hits={found.snippetHits} />
          </span>
        )}
      </span>
    </Link>
  );
}
