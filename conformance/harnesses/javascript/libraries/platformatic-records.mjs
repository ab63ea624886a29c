// placeholder
export const records = () => undefined
