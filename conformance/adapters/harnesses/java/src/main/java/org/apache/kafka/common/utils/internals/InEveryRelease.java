package org.apache.kafka.common.utils.internals;

/**
 * Makes this package exist in releases before 4.4, whose classes are one package up: a source that imports all classes
 * of both packages compiles against every release.
 */
final class InEveryRelease {
    private InEveryRelease() {
    }
}
