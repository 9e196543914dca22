import { Page } from '../../ui/page';

export function SearchScreen() {
  return <Page title="Search">{null}</Page>;
}
