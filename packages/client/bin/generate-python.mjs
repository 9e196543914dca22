import { text } from 'node:stream/consumers';

const { paths } = JSON.parse(await text(process.stdin));

const HEAD = `# Made by the build from the OpenAPI document of the service.
from urllib.parse import quote


class Operations:
    def call(self, method, path, query=None, body=None, headers=None):
        raise NotImplementedError
`;

const KEYWORDS = ['from', 'import', 'class', 'in', 'is', 'not', 'or', 'and', 'global', 'pass'];

const snake = (name) => {
  const words = name.replace(/[^A-Za-z0-9]+/g, '_').replace(/([a-z0-9])([A-Z])/g, '$1_$2');
  const word = words.toLowerCase();
  return KEYWORDS.includes(word) ? `${word}_` : word;
};

const operations = Object.entries(paths).flatMap(([path, item]) =>
  ['get', 'post', 'put', 'patch', 'delete'].flatMap((method) => {
    const operation = item[method];
    return operation && isJson(operation) ? [{ method, path, ...operation }] : [];
  }),
);

function isJson({ requestBody, responses }) {
  const contents = [requestBody, ...Object.values(responses)].map((one) => one?.content ?? {});
  return contents.every((content) =>
    Object.keys(content).every((type) => type === 'application/json'),
  );
}

function methodOf({ method, path, operationId, summary, parameters = [], requestBody }) {
  const queries = parameters.filter((one) => one.in === 'query').map(({ name }) => name);
  const given = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => snake(name));
  const own = [
    ...(requestBody ? ['body=None'] : []),
    ...queries.map((name) => `${snake(name)}=None`),
  ];
  const place = path.replace(/\{(\w+)\}/g, (_, name) => `{quote(${snake(name)}, safe='')}`);
  const query = queries.map((name) => `${JSON.stringify(name)}: ${snake(name)}`).join(', ');
  return `
    def ${snake(operationId)}(${['self', ...given, '*', ...own, 'headers=None'].join(', ')}):
        """${summary}: ${method.toUpperCase()} ${path}"""
        return self.call(
            "${method.toUpperCase()}",
            f"${place}",
            {${query}},
            ${requestBody ? 'body' : 'None'},
            headers,
        )
`;
}

process.stdout.write(HEAD + operations.map(methodOf).join(''));
