import { useEffect, useState } from 'react';
import { t } from '../../../i18n';
import { useIssueSearch } from '../use-issue-search';

/** Words of the title, the description or the identifier; the address follows once nobody has typed for a moment. */
export function TextFilter() {
  const { search, change } = useIssueSearch();
  const asked = search.q ?? '';
  const [typed, setTyped] = useState(asked);
  const [seen, setSeen] = useState(asked);
  if (seen !== asked) {
    // The address changed by itself: by Back, by a saved view.
    setSeen(asked);
    setTyped(asked);
  }
  useEffect(() => {
    const wanted = typed.trim();
    if (wanted === asked) return;
    const timer = setTimeout(() => {
      setSeen(wanted);
      change({ q: wanted || undefined }, { replace: true });
    }, 250);
    return () => clearTimeout(timer);
  });
  return (
    <input
      type="search"
      aria-label={t('issues.find')}
      placeholder={t('issues.find')}
      value={typed}
      onChange={(event) => setTyped(event.target.value)}
      className="min-h-7 w-36 rounded-md border border-line-strong bg-surface px-2 text-sm max-md:min-h-9 max-md:w-full"
    />
  );
}
