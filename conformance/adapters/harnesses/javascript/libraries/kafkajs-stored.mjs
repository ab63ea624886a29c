// What members of a group send each other, by AssignerProtocol of KafkaJS, which its users write assigners with.
//
// Its values have the version, which is no part of the body. Whatever it is, it is written and read with the fields of
// version 0, so that is the only one.

import { Unrepresentable } from '../bridge/outcomes.mjs'

const VERSION = Buffer.alloc(2)

// The codecs for offerByHand.
export function stored({ MemberMetadata, MemberAssignment }) {
  return [
    {
      message: 'ConsumerProtocolSubscription',
      versions: [0],
      write: ({ Topics, UserData }) => bodyOf(MemberMetadata.encode({ version: 0, topics: Topics, userData: UserData })),
      read(wire) {
        const { topics, userData } = MemberMetadata.decode(Buffer.concat([VERSION, wire]))
        return { value: { Topics: topics, UserData: userData }, consumed: null }
      }
    },
    {
      message: 'ConsumerProtocolAssignment',
      versions: [0],
      write({ AssignedPartitions, UserData }) {
        const assignment = AssignedPartitions && byTopic(AssignedPartitions)
        return bodyOf(MemberAssignment.encode({ version: 0, assignment, userData: UserData }))
      },
      read(wire) {
        const { assignment, userData } = MemberAssignment.decode(Buffer.concat([VERSION, wire]))
        const partitions = Object.entries(assignment).map(([Topic, Partitions]) => ({ Topic, Partitions }))
        return { value: { AssignedPartitions: partitions, UserData: userData }, consumed: null }
      }
    }
  ]
}

const bodyOf = wire => wire.subarray(VERSION.length)

// An assignment is an object, whose names are the topics.
function byTopic(list) {
  if (list.some(element => typeof element?.Topic !== 'string')) throw new Unrepresentable('a topic is a name of an object')
  const assignment = Object.fromEntries(list.map(({ Topic, Partitions }) => [Topic, Partitions]))
  const isSame = JSON.stringify(Object.keys(assignment)) === JSON.stringify(list.map(({ Topic }) => Topic))
  if (!isSame) throw new Unrepresentable('an object has each topic once, and another order of topics')
  return assignment
}
