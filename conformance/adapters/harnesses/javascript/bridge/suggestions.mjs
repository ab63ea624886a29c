// Suggestions for misspelt names of fields.

const letters = name => name.replaceAll('_', '').toLowerCase()

// The question about the closest of the known names; without one, the known names.
export function suggestion(name, known) {
  const [closest] = [...known].map(each => ({ each, likeness: likeness(letters(name), letters(each)) })).sort(byLikeness)
  if (closest?.likeness > 0.6) return `did you mean ${closest.each}?`
  return known.length > 0 ? `it has ${[...known].join(', ')}` : 'it has none'
}

const byLikeness = (one, other) => other.likeness - one.likeness

// The share of letters that two names have in common, in order.
function likeness(one, other) {
  let row = Array(other.length + 1).fill(0)
  for (const letter of one) {
    const next = [0]
    for (let index = 0; index < other.length; index++) {
      next.push(letter === other[index] ? row[index] + 1 : Math.max(row[index + 1], next[index]))
    }
    row = next
  }
  return (2 * row.at(-1)) / (one.length + other.length)
}
