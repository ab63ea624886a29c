// The headers that @platformatic/kafka's connection puts before messages: each API says whether they have tags.

// Give a function from direction, API and version to the version of the header; undefined if it has none.
export function headerVersion(modules) {
  const versions = new Map()
  for (const { api } of modules) versions.set(`${api.key} ${api.version}`, sent(api))
  return (direction, key, version) => versions.get(`${key} ${version}`)?.[direction]
}

// Let an API send to a connection that only notes what it is told.
function sent(api) {
  const told = {}
  const send = (_key, _version, _payload, _parser, requestTags, responseTags) => {
    told.request = requestTags ? 2 : 1
    told.response = responseTags ? 1 : 0
  }
  api({ send }, () => {})
  return told
}
