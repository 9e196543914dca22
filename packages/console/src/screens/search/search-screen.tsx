import { useNavigate, useSearch } from '@tanstack/react-router';
import { Search, SearchX } from 'lucide-react';
import { FOUND_TYPES, type FoundType, useFind } from '../../data/find';
import { t, word } from '../../i18n';
import { Input } from '../../ui/field';
import { Page, Tabs } from '../../ui/page';
import { Empty, Loading, Skeleton } from '../../ui/states';
import { useTypedText } from '../../ui/use-typed-text';
import { FoundRow } from './found-row';

export function SearchScreen() {
  const { q = '', type } = useSearch({ from: '/$company' });
  const only = FOUND_TYPES.find((each) => each === type);
  return (
    <Page
      title={t('search.title')}
      width="measure"
      toolbar={
        <>
          <Words />
          <TypeTabs q={q} />
        </>
      }
    >
      {q.trim() === '' ? (
        <Empty icon={Search} title={t('search.begin')}>
          {t('search.beginText')}
        </Empty>
      ) : (
        <Results q={q} only={only} />
      )}
    </Page>
  );
}

function Words() {
  const search = useSearch({ from: '/$company' });
  const navigate = useNavigate();
  const [typed, setTyped] = useTypedText(search.q ?? '', (q) =>
    navigate({ to: '.', search: { ...search, q: q || undefined }, replace: true }),
  );
  return (
    <Input
      autoFocus
      type="search"
      aria-label={t('search.title')}
      placeholder={t('search.words')}
      maxLength={200}
      value={typed}
      onChange={(event) => setTyped(event.target.value)}
      className="max-w-md"
    />
  );
}

const TypeTabs = ({ q }: { q: string }) => (
  <Tabs
    tabs={[undefined, ...FOUND_TYPES].map((type) => ({
      link: {
        from: '/$company/search',
        to: '.',
        search: (now: object) => ({ ...now, q: q || undefined, type }) as never,
      },
      label: type ? word('foundTypes', type) : t('search.all'),
    }))}
  />
);

function Results({ q, only }: { q: string; only: FoundType | undefined }) {
  const found = useFind(q, only && [only], 50);
  return (
    <Loading of={found} skeleton={<Skeleton rows={8} height={56} />}>
      {(results) =>
        results.length === 0 ? (
          <Empty icon={SearchX} title={t('search.none', { q })}>
            {t('search.noneText')}
          </Empty>
        ) : (
          <>
            <p role="status" className="sr-only">
              {t('search.found', { count: results.length })}
            </p>
            <ul className="-mx-2 flex flex-col">
              {results.map((each) => (
                <li key={`${each.type} ${each.id}`}>
                  <FoundRow found={each} />
                </li>
              ))}
            </ul>
            {results.length === MOST && (
              <p className="py-3 text-center text-sm text-muted">{t('search.more')}</p>
            )}
          </>
        )
      }
    </Loading>
  );
}

const MOST = 50;
