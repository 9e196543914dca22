import { t } from '../../../i18n';
import { useTypedText } from '../../../ui/use-typed-text';
import { useIssueSearch } from '../use-issue-search';

export function TextFilter() {
  const { search, change } = useIssueSearch();
  const [typed, setTyped] = useTypedText(search.q ?? '', (q) =>
    change({ q: q || undefined }, { replace: true }),
  );
  return (
    <input
      type="search"
      aria-label={t('issues.find')}
      placeholder={t('issues.find')}
      value={typed}
      onChange={(event) => setTyped(event.target.value)}
      className="min-h-7 w-32 rounded-md border border-line-strong bg-surface px-2 text-sm max-md:min-h-9 max-md:w-full"
    />
  );
}
